import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Профиль',
  email: 'Эл. почта',
  saved: 'Сохранено',
  look: 'Язык и вид',
  theme: 'Тема',
  themes: { system: 'Как в системе', light: 'Светлая', dark: 'Тёмная' },
  times: 'Дата и время',
  timeZone: 'Часовой пояс',
  ownTimeZone: (name) => `Как в этом браузере (${name})`,
  weekStart: 'Первый день недели',
  days: ['Воскресенье', 'Понедельник', 'Вторник', 'Среда', 'Четверг', 'Пятница', 'Суббота'],
  keyboard: 'Клавиатура',
  hasShortcuts: 'Отдельные клавиши — команды',
  shortcutsHint: 'Нажмите ? на любом экране, чтобы увидеть клавиши.',
  here: 'Эти настройки хранятся в этом браузере, а язык ещё и в вашей учётной записи.',
};
