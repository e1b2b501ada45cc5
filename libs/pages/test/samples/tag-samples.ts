import type { PageSource, PageSourceOf } from '@smartlink/pages/site';

type TagPage = PageSourceOf<'QRTag'>['page'];

function tag(qrTag: TagPage['qrTag'], qrTagButtons: TagPage['qrTagButtons']): PageSourceOf<'QRTag'> {
  return { slug: 'table7', type: 'QRTag', page: { qrTag, qrTagButtons } };
}

const LOGO = 'https://images.example/logo-garden.png';

/** QRTags for the tests in a browser and the pictures in docs/pages. Pictures at images.example are made up there. */
export const tagSamples: Readonly<Record<string, PageSource>> = {
  tag: tag(
    {
      title: 'Table 7, Garden Café',
      description: 'Order from your seat, we bring it to you.',
      logoLink: LOGO,
      themeColor: '#15803d',
    },
    [
      { title: 'Call the waiter', link: 'tel:+994125550107', preset: 'phone', position: 2 },
      { title: 'See the menu', link: 'https://garden.example/menu', preset: 'restaurant', position: 0 },
      {
        title: 'Order to your home',
        link: 'https://delivery.example/garden',
        preset: 'delivery',
        position: 1,
      },
      { title: 'Reserve a table', link: 'https://garden.example/reserve', preset: 'calendar', position: 3 },
      { title: 'Follow us', link: 'https://www.instagram.com/', preset: 'social', position: 4 },
    ],
  ),
  'tag-every-kind': tag({ title: 'Lift 2, Nizami Street 12', themeColor: '#ff8800' }, [
    { title: 'Report a fault', link: 'https://www.lift-service.example/fault?lift=2', preset: 'link' },
    { title: 'Emergency, day and night', link: 'tel:+994-12-555-01-12', preset: 'phone' },
    {
      title: 'Write to the caretaker',
      link: 'mailto:caretaker@house.example?subject=Lift%202',
      preset: 'email',
    },
    { title: 'Send a message', link: 'sms:+994505550112?body=Lift%202' },
    { title: 'Write in the chat', link: 'whatsapp://send?phone=994505550112&text=Lift%202' },
    { title: 'Where the machine room is', link: 'geo:40.3777,49.8920' },
    { title: 'Ask somebody you know', link: 'mailto:?subject=Lift%202' },
    { title: 'Rules of the house', link: 'https://xn--e1afmkfd.xn--p1ai/rules' },
  ]),
  'tag-one': tag({ title: 'Umbrella, please return', themeColor: '#ffffff' }, [
    { title: 'Tell the owner', link: 'tel:+994505550101', preset: 'phone' },
  ]),
  'tag-hebrew': tag({ title: 'בית קפה הגן', description: 'שולחן 7', logoLink: LOGO, themeColor: '#ffff00' }, [
    { title: 'תפריט', link: 'https://garden.example/menu', preset: 'restaurant' },
    { title: 'להתקשר', link: 'tel:+972500000000', preset: 'phone' },
    { title: 'Facebook', link: 'https://social.example/garden', preset: 'social' },
  ]),
  'tag-long': tag({ title: 'Uzun sözlər: '.repeat(19), themeColor: '#808080' }, [
    {
      title:
        'Kəndin mərkəzində yerləşən köhnə çayxananın həyətində keçirilən axşam yeməyi üçün əvvəlcədən yer ayırmaq',
      link: `https://${'a-very-long-name.'.repeat(8)}example/`,
      preset: 'calendar',
    },
    { title: 'w'.repeat(256), link: 'https://w.example/', preset: 'delivery' },
  ]),
  'tag-soft': {
    ...tag({ title: 'Garden Café', description: 'Table 8', logoLink: LOGO, themeColor: '#15803d' }, [
      { title: 'See the menu', link: 'https://garden.example/menu', preset: 'restaurant' },
      { title: 'Call the waiter', link: 'tel:+994125550107', preset: 'phone' },
      { title: 'Follow us', link: 'https://social.example/garden', preset: 'social' },
    ]),
    appearance: { buttonStyle: 'soft', buttonShape: 'pill', background: 'gradient' },
  },
  'tag-empty': tag({ logoLink: 'https://images.example/missing.png', themeColor: '#000000' }, []),
};
