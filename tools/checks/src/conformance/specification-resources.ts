import type { Section } from './statement.js';
import * as t from './test-files.js';

const TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'];

/** management-api.md: what the service does, the envelope, and what every smartlink has. */
export const RESOURCES: readonly Section[] = [
  {
    title: 'What the service does',
    statements: {
      'api-prefix': [
        'Every path begins with /api/v1, and nothing of the API is elsewhere',
        t.routing('a path nothing answers …'),
      ],
      types: [
        'There are seven types, spelt App, Url, Landing, QRTag, DigiCard, TxtBin and QrMenu',
        ...TYPES.map(t.object),
        t.refused('a type in lower case'),
      ],
      'type-decides': [
        'smartlinkType decides which other objects a body must have',
        t.limit('landing'),
        t.limit('qrTag'),
        t.limit('digiCard'),
        t.limit('txtBin'),
        t.limit('qrMenu'),
        t.refused('no shortener'),
        t.refused("another type's object"),
      ],
      'bodies-json': [
        'Bodies are JSON in both directions; a body is sent as application/json',
        t.envelope('a success of …'),
        t.envelope('a failure of …'),
        t.requestBodies('POST with the media type …'),
        t.requestBodies('PATCH with the media type …'),
        t.requestBodies('DELETE with the media type …'),
      ],
    },
  },
  {
    title: 'Response envelope',
    statements: {
      'envelope-success': [
        'A success has success (true), message (text), data and timestamp, and nothing else',
        t.envelope('a success of …'),
      ],
      'envelope-data': ['data is an object, an array or null, by the endpoint', t.envelope('a success of …')],
      'envelope-failure': [
        'A failure has success (false), error and timestamp; error has code and message, and details only as an array',
        t.envelope('a failure of …'),
      ],
      'envelope-time': ['timestamp is ISO 8601', t.envelope('a success of …'), t.envelope('a failure of …')],
    },
  },
  {
    title: 'Smartlink, as returned',
    statements: {
      'smartlink-members': [
        'It has id, status, type, userId, relink, createdAt, updatedAt, configuration and analytics, with the types of the table',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
        ...TYPES.map(t.object),
      ],
      'smartlink-status': [
        'status is Active, Paused or Deleted',
        t.read('a fetch shows a link in any status, with its ETag and its own address'),
      ],
      'smartlink-user': ['userId is the owner', ...TYPES.map(t.object)],
      'smartlink-relink': [
        'relink is the public base, a slash and the smartlinkUrl',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
        t.create('a valid create keeps the slug a as typed'),
      ],
      'smartlink-times': [
        'createdAt and updatedAt are ISO 8601',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
      ],
      'smartlink-zeros': [
        'analytics has totalClicks, totalQrCodeScans and totalFallBack, and of a new smartlink each is 0',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
        ...TYPES.map(t.object),
      ],
      'smartlink-more': ['Data of the type may follow', ...TYPES.map(t.object)],
    },
  },
  {
    title: 'Configuration',
    statements: {
      'configuration-required': [
        'configuration is an object that every create must have',
        t.refused('no configuration'),
        t.refused('configuration null'),
        t.refused('configuration as array'),
      ],
      'name-required': [
        'smartlinkName is a text that must be there',
        t.refused('no name'),
        t.refused('a numeric name'),
        t.refused('an empty name'),
      ],
      'name-limit': [
        'smartlinkName has at most 64 characters',
        t.create('a valid create keeps a name of 64 letters as it is'),
        t.refused('a name of 65'),
      ],
      'slug-optional': [
        'smartlinkUrl may be left out, and the answer tells which one was chosen',
        t.create('a valid create gives six characters that are easy to read when none are asked for'),
      ],
      'slug-limit': [
        'smartlinkUrl has at most 64 characters',
        t.create(
          'a valid create keeps the slug xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx as typed',
        ),
        t.refused('a slug of 65'),
      ],
      'slug-alphabet': [
        'smartlinkUrl has latin letters and digits, and nothing else',
        t.refused('slug …'),
        t.refused('a numeric slug'),
        t.slugText('takes latin letters and digits only'),
      ],
      'slug-unique': [
        'smartlinkUrl is unique over all users',
        t.conflicts('a slug that is taken, in any case and by anybody, is 409 and stores nothing'),
        t.races('one slug in mixed case goes to one of 50 creates of two users, all types'),
      ],
      'slug-reserved': [
        'smartlinkUrl is none of dashboard, welcome, pp, tos',
        t.refused('reserved …'),
        t.rename('to a reserved word in any case is a fault'),
      ],
      'type-required': [
        'smartlinkType must be there and be one of the seven',
        t.refused('no type'),
        t.refused('type constructor'),
        t.limit('configuration.smartlinkType'),
      ],
      'app-stores': [
        'An App may have appStoreLink, googlePlayLink, windowsAppLink, macOsAppLink, ipadAppLink, appGalleryLink, amazonStoreLink and fallBackLink, beside the common fields',
        t.whole('App with every store'),
        t.whole('App with no store'),
      ],
      'app-stores-url': [
        'Each of them is a URL',
        t.limit('configuration.appStoreLink'),
        t.limit('configuration.googlePlayLink'),
        t.limit('configuration.windowsAppLink'),
        t.limit('configuration.macOsAppLink'),
        t.limit('configuration.ipadAppLink'),
        t.limit('configuration.appGalleryLink'),
        t.limit('configuration.amazonStoreLink'),
        t.limit('configuration.fallBackLink'),
      ],
    },
  },
  {
    title: 'openGraph',
    statements: {
      'open-graph-every-type': ['openGraph is taken with every type', ...TYPES.map(t.object)],
      'open-graph-optional': [
        'openGraph and each of its members may be left out',
        t.whole('App with no store'),
        t.taken('an openGraph that is empty'),
        t.nullIn('openGraph’s members'),
        t.refused('openGraph of a wrong type'),
      ],
      'open-graph-title': [
        'title has at most 128 characters',
        t.object('App'),
        t.refused('an openGraph title of 129'),
      ],
      'open-graph-description': [
        'description has at most 256 characters',
        t.object('App'),
        t.refused('a description of 257'),
      ],
      'open-graph-image': ['imageUrl is a URL', t.object('App'), t.refused('a bad image')],
    },
  },
];
