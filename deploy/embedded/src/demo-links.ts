import type { SmartlinkCreate } from '@smartlink/client';

/**
 * The links that a first `npm start` makes, one of each type. Each is sent to the API as it stands here, and they are
 * recognised by their slugs. They name no pictures: a demo must not make a visitor's browser call on somebody else's
 * server.
 */
export const DEMO_LINKS: readonly SmartlinkCreate[] = [
  {
    configuration: { smartlinkName: 'Hello', smartlinkUrl: 'hello', smartlinkType: 'Url' },
    shortener: { url: 'https://example.com/' },
  },
  {
    configuration: {
      smartlinkName: 'Metro map app',
      smartlinkUrl: 'app',
      smartlinkType: 'App',
      appStoreLink: 'https://apps.apple.com/app/id1234567890',
      googlePlayLink: 'https://play.google.com/store/apps/details?id=com.example.metro',
      appGalleryLink: 'https://appgallery.huawei.com/app/C123456789',
      fallBackLink: 'https://example.com/metro-map',
    },
  },
  {
    configuration: { smartlinkName: 'Bakery profile', smartlinkUrl: 'bakery', smartlinkType: 'Landing' },
    openGraph: { title: 'Corner Bakery', description: 'Fresh bread from six in the morning.' },
    landing: {
      title: 'Corner Bakery',
      description: 'Fresh bread from six in the morning.\nClosed on Mondays.',
      themeColor: '#b5651d',
    },
    landingButtons: [
      { title: 'Order for tomorrow', link: 'https://example.com/bakery/order' },
      { title: 'Call us', link: 'tel:+994125550142' },
      { title: 'Write to us', link: 'mailto:hello@example.com?subject=Order' },
    ],
  },
  {
    configuration: { smartlinkName: 'Sticker on table 5', smartlinkUrl: 'table5', smartlinkType: 'QRTag' },
    qrTag: { title: 'Table 5', description: 'What would you like to do?', themeColor: '#0a7' },
    qrTagButtons: [
      { title: 'Call the waiter', link: 'tel:+994125550143', preset: 'phone', position: 2 },
      { title: 'See the menu', link: 'https://example.com/menu', preset: 'restaurant', position: 1 },
      { title: 'Find us on the map', link: 'geo:40.3777,49.8920', position: 3 },
    ],
  },
  {
    configuration: { smartlinkName: 'My card', smartlinkUrl: 'card', smartlinkType: 'DigiCard' },
    digiCard: {
      title: 'Leyla Aliyeva',
      jobTitle: 'Head of Partnerships',
      company: 'Example Logistics',
      themeColor: '#123456',
    },
    digiCardButtons: [
      { title: 'Office', link: 'tel:+994125550144', preset: 'phone' },
      { title: 'E-mail', link: 'mailto:leyla@example.com', preset: 'email' },
      { title: 'WhatsApp', link: 'whatsapp://send?phone=994125550144', preset: 'whatsapp' },
      { title: 'Our routes', link: 'https://example.com/', preset: 'website' },
    ],
  },
  {
    configuration: { smartlinkName: 'Wi-Fi check', smartlinkUrl: 'snippet', smartlinkType: 'TxtBin' },
    txtBin: {
      title: 'is-online.sh',
      description: 'Waits until the network is back.',
      text: '#!/bin/sh\n# Tries once a second; stops by itself.\nuntil ping -c 1 -W 1 example.com >/dev/null 2>&1; do\n\tsleep 1\ndone\necho "online since $(date)"\n',
    },
  },
  {
    configuration: { smartlinkName: 'Café menu', smartlinkUrl: 'menu', smartlinkType: 'QrMenu' },
    qrMenu: {
      title: 'Café Qoşa Qala',
      description: 'Breakfast until noon, tea until midnight.',
      themeColor: '#8c2f39',
      currency: '₼',
      categories: [
        {
          name: 'Hot drinks',
          position: 3,
          items: [
            {
              name: 'Tea',
              description: 'Black, with thyme from the mountains',
              price: 2,
              variants: [
                { label: 'Glass', price: 2 },
                { label: 'Pot', price: 5.5 },
                { label: 'Samovar', price: 14 },
              ],
            },
            { name: 'Coffee', description: 'Turkish, in a copper pot', price: 4.5, position: 1 },
            { name: 'Salep', price: 5, active: false },
          ],
        },
        {
          name: 'Breakfast',
          position: 1,
          items: [
            {
              name: 'Menemen',
              description: 'Eggs, tomatoes, green peppers and butter, in the pan it was made in',
              price: 7.9,
              badges: ['vegetarian'],
            },
            {
              name: 'Pancakes',
              description: 'With sour cherry jam',
              price: 6,
              badges: ['vegetarian', 'sweet'],
            },
            {
              name: 'Village breakfast',
              description:
                'White cheese, kaymak, honey, olives, tomatoes, eggs and warm bread from the tandir',
              price: 18.5,
              badges: ['for two'],
            },
          ],
        },
        {
          name: 'Mains',
          position: 2,
          items: [
            {
              name: 'Shah plov',
              description: 'Saffron rice with lamb, chestnuts and dried apricots, baked in lavash',
              price: 24,
              variants: [
                { label: 'For two', price: 24 },
                { label: 'For four', price: 44 },
              ],
              badges: ['house special'],
            },
            { name: 'Dolma', description: 'Vine leaves, lamb, yoghurt with garlic', price: 12.5 },
            { name: 'Grilled aubergine', description: 'With walnuts', price: 8, badges: ['vegan', 'nuts'] },
          ],
        },
        {
          name: 'Sweets',
          position: 4,
          items: [
            { name: 'Pakhlava', price: 4, badges: ['nuts'] },
            { name: 'Shekerbura', price: 3.5, badges: ['nuts'] },
          ],
        },
      ],
    },
  },
];
