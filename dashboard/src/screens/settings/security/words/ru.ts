import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Безопасность',
  password: 'Пароль',
  setPassword: 'Задать пароль',
  noPassword: 'У вас пока нет пароля. С ним можно входить без ссылки.',
  current: 'Текущий пароль',
  next: 'Новый пароль',
  rule: 'Не меньше 10 символов. Во всех других браузерах вход завершится.',
  change: 'Сменить пароль',
  changed: 'Пароль изменён',
  wrong: 'Неверный пароль.',
  sessions: 'Сеансы',
  thisBrowser: 'Этот браузер',
  lastSeen: (when) => `Последняя активность: ${when}`,
  since: (when) => `вход: ${when}`,
  signOut: (device) => `Завершить: ${device}`,
  signOutOthers: 'Завершить все остальные',
  signedOut: 'Сеанс завершён',
};
