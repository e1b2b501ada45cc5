import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Genel bakış',
  now: 'Şimdi',
  nowText: 'Son beş dakikadaki ziyaretler',
  links: 'Kullanılan bağlantılar',
  planOf: (limit, plan) => `${plan} planındaki sınır: ${limit}`,
  planOpen: (plan) => `${plan} planında sınır yok`,
  most: 'En çok ziyaret edilen bağlantılar',
  name: 'Ad',
  clicks: 'Tıklamalar',
  scans: 'Taramalar',
  deletedLink: 'Silinmiş bağlantı',
  none: 'Henüz ziyaret yok',
  noneText: 'Bu dönemde ziyaret edilen bağlantılar burada listelenir.',
};
