import type { Section } from './statement.js';
import * as t from './test-files.js';

const ITEM = 'qrMenu.categories.0.items.0';

/** management-api.md: qrMenu, and what each type requires. */
export const MENU: readonly Section[] = [
  {
    title: 'qrMenu (QrMenu)',
    statements: {
      'menu-required': ['A QrMenu must have qrMenu', t.limit('qrMenu'), t.whole('QrMenu, empty')],
      'menu-optional': [
        'Each member of qrMenu may be left out',
        t.whole('QrMenu, empty'),
        t.nullIn('a QrMenu'),
      ],
      'menu-title': [
        'qrMenu.title has at most 128 characters',
        t.whole('QrMenu, full'),
        t.limit('qrMenu.title'),
      ],
      'menu-description': [
        'qrMenu.description has at most 256 characters',
        t.whole('QrMenu, full'),
        t.limit('qrMenu.description'),
      ],
      'menu-logo': ['qrMenu.logoLink is a URL', t.whole('QrMenu, full'), t.faultAt('qrMenu.logoLink')],
      'menu-cover': ['coverLink is a URL', t.whole('QrMenu, full'), t.limit('qrMenu.coverLink')],
      'menu-color': [
        'qrMenu.themeColor is a hex colour',
        t.whole('QrMenu, full'),
        t.faultAt('qrMenu.themeColor'),
      ],
      'menu-theme': ['qrMenu.theme is Light, Auto or Dark', t.whole('QrMenu, full'), t.limit('qrMenu.theme')],
      'menu-layout': ['qrMenu.layout is List or Grid', t.whole('QrMenu, full'), t.limit('qrMenu.layout')],
      'menu-currency': [
        'currency has at most 8 characters, and is ₼ when it is left out',
        t.whole('QrMenu, full'),
        t.whole('QrMenu, empty'),
        t.limit('qrMenu.currency'),
      ],
      'menu-categories': [
        'categories is an array of categories',
        t.whole('QrMenu, full'),
        t.faultAt('qrMenu.categories'),
      ],
      'category-name': [
        'A category must have a name, of at most 64 characters',
        t.whole('QrMenu, full'),
        t.limit('qrMenu.categories.0.name'),
        t.faultAt('qrMenu.categories.0.name'),
      ],
      'category-position': [
        'position of a category may be left out, and is a number',
        t.whole('QrMenu, defaults inside'),
        t.faultAt('qrMenu.categories.0.position'),
      ],
      'category-items': [
        'items of a category is an array',
        t.whole('QrMenu, full'),
        t.fields('is a fault at its path: each of many, in one answer, with array indexes in their paths'),
      ],
      'item-name': [
        'An item must have a name, of at most 128 characters',
        t.whole('QrMenu, full'),
        t.limit(`${ITEM}.name`),
        t.faultAt(`${ITEM}.name`),
      ],
      'item-description': [
        'description of an item may be left out and has at most 512 characters',
        t.whole('QrMenu, full'),
        t.limit(`${ITEM}.description`),
        t.nullIn('a QrMenu’s category and item'),
      ],
      'item-price': [
        'An item must have a price, a number of 0 or more',
        t.whole('QrMenu, full'),
        t.limit(`${ITEM}.price`),
        t.faultAt(`${ITEM}.price`),
      ],
      'item-variants': [
        'variants is an array that may be left out or empty',
        t.nullIn('a QrMenu’s category and item'),
        t.taken('no variants'),
        t.faultAt(`${ITEM}.variants`),
      ],
      'item-image': [
        'imageLink may be left out, and is a URL',
        t.whole('QrMenu, full'),
        t.nullIn('a QrMenu’s category and item'),
        t.limit(`${ITEM}.imageLink`),
      ],
      'item-badges': [
        'badges is an array of texts',
        t.whole('QrMenu, full'),
        t.object('QrMenu'),
        t.faultAt(`${ITEM}.badges`),
        t.faultAt(`${ITEM}.badges.0`),
      ],
      'item-position': [
        'position of an item may be left out, and is a number',
        t.whole('QrMenu, full'),
        t.nullIn('a QrMenu’s category and item'),
        t.limit(`${ITEM}.position`),
      ],
      'item-active': [
        'active is true or false, true when it is left out',
        t.whole('QrMenu, full'),
        t.whole('QrMenu, defaults inside'),
        t.limit(`${ITEM}.active`),
      ],
      'variant-label': [
        'label of a variant has at most 64 characters',
        t.whole('QrMenu, full'),
        t.limit(`${ITEM}.variants.0.label`),
      ],
      'variant-price': [
        'price of a variant is a number of 0 or more',
        t.whole('QrMenu, full'),
        t.faultAt(`${ITEM}.variants.0.price`),
      ],
    },
  },
  {
    title: 'Required content by type',
    statements: {
      'requires-app': ['App: configuration with name and type', t.whole('App with no store')],
      'requires-url': [
        'Url: also shortener with its url',
        t.create('a valid create takes null for absent, and leaves unset members out'),
        t.refused('no shortener'),
        t.refused('no url'),
      ],
      'requires-landing': ['Landing: also landing', t.whole('Landing, empty'), t.limit('landing')],
      'requires-qr-tag': ['QRTag: also qrTag', t.whole('QRTag, empty'), t.limit('qrTag')],
      'requires-digi-card': ['DigiCard: also digiCard', t.whole('DigiCard, empty'), t.limit('digiCard')],
      'requires-txt-bin': ['TxtBin: also txtBin with its text', t.whole('TxtBin'), t.limit('txtBin')],
      'requires-menu': ['QrMenu: also qrMenu', t.whole('QrMenu, empty'), t.limit('qrMenu')],
      'requires-no-more': [
        'openGraph and the three button arrays are never required',
        t.whole('Landing, empty'),
        t.whole('QRTag, empty'),
        t.whole('DigiCard, empty'),
      ],
    },
  },
];
