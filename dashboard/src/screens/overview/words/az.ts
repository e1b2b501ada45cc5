import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'İcmal',
  now: 'İndi',
  nowText: 'Son beş dəqiqədəki ziyarətlər',
  links: 'İstifadə olunan keçidlər',
  planOf: (limit, plan) => `${plan} planında hədd: ${limit}`,
  planOpen: (plan) => `${plan} planında hədd yoxdur`,
  most: 'Ən çox ziyarət edilən keçidlər',
  name: 'Ad',
  clicks: 'Kliklər',
  scans: 'Skanlar',
  deletedLink: 'Silinmiş keçid',
  none: 'Hələ ziyarət yoxdur',
  noneText: 'Bu dövrdə ziyarət edilən keçidlər burada görünür.',
};
