import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Giriş',
  email: 'E-poçt',
  password: 'Parol',
  submit: 'Daxil ol',
  wrong: 'E-poçt və ya parol yanlışdır.',
  tooMany: (seconds) => `Həddindən çox cəhd. ${seconds} saniyə gözləyib yenidən cəhd edin.`,
  forgotten: 'Parolu unutmusunuz? Bu xidməti idarə edən şəxsdən bərpa keçidi istəyin.',
  setup: {
    heading: 'Quraşdırmanı tamamlayın',
    text: 'Hələ heç kim daxil ola bilməz. Smartlink işləyən kompüterdə ilk şəxs üçün keçid yaradın:',
    then: 'Çıxan ünvanı açın və orada parol seçin.',
    again: 'Yenidən yoxla',
  },
};
