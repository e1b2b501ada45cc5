import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Profil',
  email: 'E-posta',
  saved: 'Kaydedildi',
  look: 'Dil ve görünüm',
  theme: 'Tema',
  themes: { system: 'Sistemdeki gibi', light: 'Açık', dark: 'Koyu' },
  times: 'Tarih ve saat',
  timeZone: 'Saat dilimi',
  ownTimeZone: (name) => `Bu tarayıcınınki (${name})`,
  weekStart: 'Haftanın ilk günü',
  days: ['Pazar', 'Pazartesi', 'Salı', 'Çarşamba', 'Perşembe', 'Cuma', 'Cumartesi'],
  keyboard: 'Klavye',
  hasShortcuts: 'Tek tuşlar komuttur',
  shortcutsHint: 'Tuşları görmek için herhangi bir ekranda ? tuşuna basın.',
  here: 'Bu seçimler bu tarayıcıda, dil ayrıca sizin adınıza saklanır.',
};
