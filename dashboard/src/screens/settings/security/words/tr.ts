import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Güvenlik',
  password: 'Parola',
  setPassword: 'Parola belirle',
  noPassword: 'Henüz parolanız yok. Parolayla bağlantı olmadan giriş yapabilirsiniz.',
  current: 'Şimdiki parola',
  next: 'Yeni parola',
  rule: 'En az 10 karakter. Diğer tüm tarayıcılarda oturum kapanır.',
  change: 'Parolayı değiştir',
  changed: 'Parola değiştirildi',
  wrong: 'Parola yanlış.',
  sessions: 'Oturumlar',
  thisBrowser: 'Bu tarayıcı',
  lastSeen: (when) => `Son görülme: ${when}`,
  since: (when) => `giriş: ${when}`,
  signOut: (device) => `Oturumu kapat: ${device}`,
  signOutOthers: 'Diğer tüm oturumları kapat',
  signedOut: 'Oturum kapatıldı',
};
