import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Обзор',
  now: 'Сейчас',
  nowText: 'Визиты за последние пять минут',
  links: 'Используемые ссылки',
  planOf: (limit, plan) => `из ${limit} в тарифе ${plan}`,
  planOpen: (plan) => `В тарифе ${plan} без ограничения`,
  most: 'Самые посещаемые ссылки',
  name: 'Название',
  clicks: 'Переходы',
  scans: 'Сканирования',
  deletedLink: 'Удалённая ссылка',
  none: 'Визитов пока нет',
  noneText: 'Здесь будут ссылки с визитами за этот период.',
};
