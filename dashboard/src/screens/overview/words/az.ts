import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'İcmal',
  now: 'İndi',
  nowText: 'Son beş dəqiqədəki ziyarətlər',
  links: 'İstifadə olunan keçidlər',
  planOf: (limit, plan) => `${plan} planında hədd: ${limit}`,
  planOpen: (plan) => `${plan} planında hədd yoxdur`,
  most: {
    smartlink: { title: 'Ən çox ziyarət edilən keçidlər', header: 'Ad' },
    tag: { title: 'Teqlər üzrə ziyarətlər', header: 'Teq', without: 'Teqsiz' },
    folder: { title: 'Qovluqlar üzrə ziyarətlər', header: 'Qovluq', without: 'Qovluqsuz' },
  },
  name: 'Ad',
  clicks: 'Kliklər',
  scans: 'Skanlar',
  deletedLink: 'Silinmiş keçid',
  none: 'Hələ ziyarət yoxdur',
  noneText: 'Bu dövrdə ziyarət edilən keçidlər burada görünür.',
  movers: 'Ən çox dəyişən keçidlər',
  visits: 'Ziyarətlər',
  before: 'Əvvəl',
  change: 'Dəyişiklik',
  moversNone: 'Heç bir keçidin ziyarətləri dəyişməyib.',
  against: (days, before) => `${days}; müqayisə: ${before}`,
  recent: 'Son 30 dəqiqə',
  recentNone: 'Son 30 dəqiqədə ziyarət olmayıb.',
};
