import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Genel bakış',
  now: 'Şimdi',
  nowText: 'Son beş dakikadaki ziyaretler',
  links: 'Kullanılan bağlantılar',
  planOf: (limit, plan) => `${plan} planındaki sınır: ${limit}`,
  planOpen: (plan) => `${plan} planında sınır yok`,
  most: {
    smartlink: { title: 'En çok ziyaret edilen bağlantılar', header: 'Ad' },
    tag: { title: 'Etiketlere göre ziyaretler', header: 'Etiket', without: 'Etiketsiz' },
    folder: { title: 'Klasörlere göre ziyaretler', header: 'Klasör', without: 'Klasörsüz' },
  },
  name: 'Ad',
  clicks: 'Tıklamalar',
  scans: 'Taramalar',
  deletedLink: 'Silinmiş bağlantı',
  none: 'Henüz ziyaret yok',
  noneText: 'Bu dönemde ziyaret edilen bağlantılar burada listelenir.',
  movers: 'En çok değişen bağlantılar',
  visits: 'Ziyaretler',
  before: 'Önce',
  change: 'Değişim',
  moversNone: 'Hiçbir bağlantının ziyaret sayısı değişmedi.',
  against: (days, before) => `${days}; karşılaştırma: ${before}`,
  recent: 'Son 30 dakika',
  recentNone: 'Son 30 dakikada ziyaret olmadı.',
};
