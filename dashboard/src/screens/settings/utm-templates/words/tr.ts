import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'UTM şablonları',
  intro:
    'Kısa bağlantıların başladığı kampanya parametreleri. Şablonla açılan bağlantının kendi kopyası olur.',
  add: 'Şablon ekle',
  none: 'Henüz şablon yok',
  noneText: 'Şablon, her bağlantıda aynı kaynağı, aracı ve kampanyayı yazmaktan kurtarır.',
  name: 'Ad',
  parameters: 'Parametreler',
  created: 'Oluşturma',
  editOf: (name) => `Şablonu düzenle: ${name}`,
  removeHeading: (name) => `${name} şablonu silinsin mi?`,
  removeText: 'Onunla oluşturulan bağlantılar olduğu gibi kalır.',
  removeSubmit: 'Şablonu sil',
  keep: 'Şablonu tut',
  save: 'Şablonu kaydet',
  fields: {
    source: 'Kaynak',
    medium: 'Araç',
    campaign: 'Kampanya',
    term: 'Anahtar kelime',
    content: 'İçerik',
    ref: 'Öneren',
  },
  hints: {
    source: 'utm_source parametresi, örneğin newsletter',
    medium: 'utm_medium parametresi, örneğin email',
    campaign: 'utm_campaign parametresi, örneğin spring',
    term: 'utm_term parametresi',
    content: 'utm_content parametresi',
    ref: 'ref parametresi',
  },
  oneNeeded: 'En az bir parametre girin.',
};
