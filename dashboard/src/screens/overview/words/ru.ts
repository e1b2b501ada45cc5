import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Обзор',
  now: 'Сейчас',
  nowText: 'Визиты за последние пять минут',
  links: 'Используемые ссылки',
  planOf: (limit, plan) => `из ${limit} в тарифе ${plan}`,
  planOpen: (plan) => `В тарифе ${plan} без ограничения`,
  most: {
    smartlink: { title: 'Самые посещаемые ссылки', header: 'Название' },
    tag: { title: 'Визиты по меткам', header: 'Метка', without: 'Без метки' },
    folder: { title: 'Визиты по папкам', header: 'Папка', without: 'Без папки' },
  },
  name: 'Название',
  clicks: 'Переходы',
  scans: 'Сканирования',
  deletedLink: 'Удалённая ссылка',
  none: 'Визитов пока нет',
  noneText: 'Здесь будут ссылки с визитами за этот период.',
  movers: 'Ссылки с наибольшими изменениями',
  visits: 'Визиты',
  before: 'Раньше',
  change: 'Изменение',
  moversNone: 'Число визитов не изменилось ни у одной ссылки.',
  against: (days, before) => `${days} по сравнению с ${before}`,
  recent: 'Последние 30 минут',
  recentNone: 'За последние 30 минут визитов не было.',
};
