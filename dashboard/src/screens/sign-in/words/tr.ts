import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Giriş',
  email: 'E-posta',
  password: 'Parola',
  submit: 'Giriş yap',
  wrong: 'E-posta veya parola yanlış.',
  tooMany: (seconds) => `Çok fazla deneme. ${seconds} saniye bekleyip yeniden deneyin.`,
  forgotten: 'Parolanızı mı unuttunuz? Bu hizmeti yöneten kişiden sıfırlama bağlantısı isteyin.',
  setup: {
    heading: 'Kurulumu tamamlayın',
    text: 'Henüz kimse giriş yapamaz. Smartlink’in çalıştığı makinede ilk kişi için bir bağlantı oluşturun:',
    then: 'Yazdığı adresi açın ve orada bir parola seçin.',
    again: 'Yeniden denetle',
  },
};
