import type { Section } from './statement.js';
import * as t from './test-files.js';

/** management-api.md: the objects of Url, Landing, QRTag, DigiCard and TxtBin. */
export const PAGES: readonly Section[] = [
  {
    title: 'shortener (Url)',
    statements: {
      'shortener-required': [
        'A Url must have shortener, an object',
        t.refused('no shortener'),
        t.refused('shortener null'),
        t.refused('shortener of a wrong type'),
      ],
      'shortener-url': [
        'url is a URL that must be there',
        t.refused('no url'),
        t.refused('url null'),
        t.refused('url a number'),
        t.refused('"example.org" as a destination and as an image'),
      ],
      'shortener-protected': [
        'protected is true or false, false when it is left out',
        t.create('a valid create takes null for absent, and leaves unset members out'),
        t.refused('protected as text'),
      ],
      'shortener-password-min': [
        'password is a text of 6 characters or more',
        t.create('a password of 6 characters is stored as a hash and shown nowhere'),
        t.refused('a password of 5'),
        t.refused('a numeric password'),
      ],
      'shortener-password-optional': [
        'password may be left out',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
      ],
      'shortener-password-required': [
        'password must be there when protected is true',
        t.refused('protected without password'),
        t.refused('protected, password null'),
        t.passwords(
          'protection without a password is a fault, with one it holds, and the password is never returned',
        ),
      ],
    },
  },
  {
    title: 'landing (Landing)',
    statements: {
      'landing-required': ['A Landing must have landing', t.limit('landing'), t.whole('Landing, empty')],
      'landing-optional': [
        'Each member of landing may be left out',
        t.whole('Landing, empty'),
        t.nullIn('a Landing'),
      ],
      'landing-title': [
        'title has at most 128 characters',
        t.whole('Landing, full'),
        t.limit('landing.title'),
      ],
      'landing-description': [
        'description has at most 256 characters',
        t.whole('Landing, full'),
        t.limit('landing.description'),
      ],
      'landing-logo': [
        'logoLink is a URL',
        t.whole('Landing, full'),
        t.limit('landing.logoLink'),
        t.faultAt('landing.logoLink'),
      ],
      'landing-color': [
        'themeColor is a hex colour',
        t.taken('Landing: #ABCD'),
        t.limit('landing.themeColor'),
        t.faultAt('landing.themeColor'),
      ],
      'landing-layout': [
        'layout is List or Grid, List when it is left out',
        t.whole('Landing, empty'),
        t.whole('Landing, full'),
        t.limit('landing.layout'),
      ],
      'landing-theme': [
        'theme is Light, Dark or Auto, Auto when it is left out',
        t.whole('Landing, empty'),
        t.whole('Landing, full'),
        t.typeLimits(
          'what is refused, at its path [["landing.layout","Must be one of List, Grid"],["landing.theme" …',
        ),
      ],
      'landing-buttons': [
        'landingButtons may be left out, and is an array',
        t.whole('Landing, empty'),
        t.typeLimits('what is refused, at its path [["landingButtons","Must be an array"]]'),
      ],
      'landing-button-title': [
        'A button of it must have a title, of at most 256 characters',
        t.taken('Landing: a button’s title of 256'),
        t.limit('landingButtons.0.title'),
        t.faultAt('landingButtons.0.title'),
      ],
      'landing-button-link': [
        'A button of it must have a link: a URL, tel: or mailto:',
        t.taken('Landing: tel:+99412'),
        t.taken('Landing: mailto:a@example.org'),
        t.limit('landingButtons.0.link'),
        t.faultAt('landingButtons.0.link'),
      ],
      'landing-button-icon': [
        'A button of it may have iconUrl, a URL',
        t.whole('Landing, full'),
        t.nullIn('a Landing’s button'),
        t.limit('landingButtons.0.iconUrl'),
      ],
    },
  },
  {
    title: 'qrTag (QRTag)',
    statements: {
      'qr-tag-required': ['A QRTag must have qrTag', t.limit('qrTag'), t.whole('QRTag, empty')],
      'qr-tag-optional': [
        'Each member of qrTag may be left out',
        t.whole('QRTag, empty'),
        t.nullIn('a QRTag'),
      ],
      'qr-tag-title': [
        'qrTag.title has at most 256 characters',
        t.whole('QRTag, full'),
        t.limit('qrTag.title'),
      ],
      'qr-tag-description': [
        'qrTag.description has at most 256 characters',
        t.whole('QRTag, full'),
        t.limit('qrTag.description'),
      ],
      'qr-tag-logo': ['qrTag.logoLink is a URL', t.whole('QRTag, full'), t.faultAt('qrTag.logoLink')],
      'qr-tag-color': [
        'qrTag.themeColor is a hex colour',
        t.taken('QRTag: #abc'),
        t.faultAt('qrTag.themeColor'),
      ],
      'qr-tag-buttons': ['qrTagButtons may be left out', t.whole('QRTag, empty')],
      'qr-tag-button-title': [
        'A button of qrTagButtons must have a title, of at most 256 characters',
        t.taken('QRTag: a button’s title of 256'),
        t.faultAt('qrTagButtons.0.title'),
      ],
      'qr-tag-button-link': [
        'A button of qrTagButtons must have a link',
        t.taken('QRTag: https://a.example.org/'),
        t.faultAt('qrTagButtons.0.link'),
      ],
      'qr-tag-button-preset': [
        'preset may be left out, and is link, restaurant, delivery, phone, email, calendar or social',
        t.whole('QRTag, full'),
        t.nullIn('a QRTag'),
        t.limit('qrTagButtons.0.preset'),
      ],
      'qr-tag-button-position': [
        'position may be left out, and is a number of 0 or more',
        t.whole('QRTag, full'),
        t.nullIn('a QRTag'),
        t.limit('qrTagButtons.0.position'),
      ],
    },
  },
  {
    title: 'digiCard (DigiCard)',
    statements: {
      'digi-card-required': [
        'A DigiCard must have digiCard',
        t.limit('digiCard'),
        t.whole('DigiCard, empty'),
      ],
      'digi-card-optional': [
        'Each member of digiCard may be left out',
        t.whole('DigiCard, empty'),
        t.nullIn('a DigiCard'),
      ],
      'digi-card-title': [
        'digiCard.title has at most 256 characters',
        t.whole('DigiCard, full'),
        t.limit('digiCard.title'),
      ],
      'digi-card-job': [
        'jobTitle has at most 128 characters',
        t.whole('DigiCard, full'),
        t.limit('digiCard.jobTitle'),
      ],
      'digi-card-company': [
        'company has at most 128 characters',
        t.whole('DigiCard, full'),
        t.limit('digiCard.company'),
      ],
      'digi-card-logo': [
        'digiCard.logoLink is a URL',
        t.whole('DigiCard, full'),
        t.faultAt('digiCard.logoLink'),
      ],
      'digi-card-background': ['bgLink is a URL', t.whole('DigiCard, full'), t.limit('digiCard.bgLink')],
      'digi-card-cta': [
        'ctaText has at most 32 characters',
        t.whole('DigiCard, full'),
        t.limit('digiCard.ctaText'),
      ],
      'digi-card-color': [
        'digiCard.themeColor is a hex colour',
        t.taken('DigiCard: #12ab34'),
        t.faultAt('digiCard.themeColor'),
      ],
      'digi-card-buttons': ['digiCardButtons may be left out', t.whole('DigiCard, empty')],
      'digi-card-button-title': [
        'A button of digiCardButtons must have a title, of at most 256 characters',
        t.taken('DigiCard: a button’s title of 256'),
        t.faultAt('digiCardButtons.0.title'),
      ],
      'digi-card-button-link': [
        'A button of digiCardButtons must have a link',
        t.taken('DigiCard: https://a.example.org/'),
        t.faultAt('digiCardButtons.0.link'),
      ],
      'digi-card-button-preset': ['Its preset may be left out', t.nullIn('a DigiCard')],
    },
  },
  {
    title: 'txtBin (TxtBin)',
    statements: {
      'txt-bin-required': ['A TxtBin must have txtBin', t.limit('txtBin')],
      'txt-bin-title': [
        'txtBin.title may be left out and has at most 256 characters',
        t.whole('TxtBin'),
        t.whole('TxtBin, full and hostile'),
        t.faultAt('txtBin.title'),
      ],
      'txt-bin-description': [
        'txtBin.description may be left out and has at most 256 characters',
        t.nullIn('a TxtBin'),
        t.whole('TxtBin, full and hostile'),
        t.faultAt('txtBin.description'),
      ],
      'txt-bin-text': [
        'txtBin.text must be there',
        t.limit('txtBin.text'),
        t.faultAt('txtBin.text'),
        t.object('TxtBin'),
      ],
    },
  },
];
