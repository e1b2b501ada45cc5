import type { words as english } from './en.js';

export const words: typeof english = {
  opening: 'Bir saniye',
  email: 'E-posta',
  newPassword: 'Yeni parola',
  rule: 'En az 10 karakter.',
  setup: { heading: 'Hoş geldiniz', text: 'Hesabınız için bir parola seçin.', submit: 'Hesabı oluştur' },
  invite: {
    heading: 'Davet edildiniz',
    to: ({ account, role, invitedBy }) =>
      `${invitedBy ?? 'Operatör'} sizi “${account}” hesabına davet ediyor. Rolünüz: ${role}.`,
    text: 'Burada daha önce giriş yaptınız mı? Parolanızı yazın. Yapmadıysanız en az 10 karakterli bir parola seçin.',
    signedIn: 'Davet edilen kişi olarak giriş yaptınız.',
    password: 'Parola',
    submit: 'Daveti kabul et',
  },
  reset: {
    heading: 'Yeni parola',
    text: 'Diğer tüm tarayıcılarda oturum kapanır.',
    submit: 'Parolayı belirle',
  },
  wrong: 'Parola yanlış.',
  gone: {
    heading: 'Bu bağlantı kullanılmış',
    text: 'Kullanılmış ya da süresi dolmuş. Yenisini isteyin.',
    signIn: 'Giriş yap',
  },
};
