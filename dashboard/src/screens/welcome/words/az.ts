import type { words as english } from './en.js';

export const words: typeof english = {
  opening: 'Bir an',
  email: 'E-poçt',
  newPassword: 'Yeni parol',
  rule: 'Ən azı 10 simvol.',
  setup: { heading: 'Xoş gəlmisiniz', text: 'Hesabınız üçün parol seçin.', submit: 'Hesab yarat' },
  invite: {
    heading: 'Dəvət olunmusunuz',
    to: ({ account, role, invitedBy }) =>
      `${invitedBy ?? 'Operator'} sizi “${account}” hesabına dəvət edir. Rolunuz: ${role}.`,
    text: 'Əvvəl burada daxil olmusunuz? Parolunuzu yazın. Əks halda ən azı 10 simvolluq parol seçin.',
    signedIn: 'Dəvət olunan şəxs kimi daxil olmusunuz.',
    password: 'Parol',
    submit: 'Dəvəti qəbul et',
  },
  reset: {
    heading: 'Yeni parol',
    text: 'Bütün başqa brauzerlərdən çıxış ediləcək.',
    submit: 'Parolu təyin et',
  },
  wrong: 'Parol yanlışdır.',
  gone: {
    heading: 'Bu keçid artıq istifadə olunub',
    text: 'İstifadə olunub və ya vaxtı bitib. Yenisini istəyin.',
    signIn: 'Giriş',
  },
};
