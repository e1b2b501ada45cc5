import { pluralRu } from '../../../../words/plural.js';
import type { words as english } from './en.js';

const links = (count: number): string => `${count} ${pluralRu(count, 'ссылка', 'ссылки', 'ссылок')}`;

export const words: typeof english = {
  heading: 'Метки и папки',
  intro: 'Меток у ссылки может быть сколько угодно, а папка — не больше одной. Посетители их не видят.',
  name: 'Название',
  links: 'Ссылки',
  created: 'Создана',
  description: 'Описание',
  merge: 'Объединить',
  save: 'Сохранить',
  hasColor: 'С цветом',
  color: 'Цвет',
  showLinks: (count, name) => `${name}: ${links(count)}`,
  tags: {
    heading: 'Метки',
    add: 'Добавить метку',
    none: 'Меток пока нет',
    noneText: 'Метки появляются и тогда, когда их пишут у ссылки.',
    edit: (name) => `Изменить метку ${name}`,
    merge: (name) => `Объединить метку ${name}`,
    mergeText: (count) => `Затронуто: ${links(count)}. У них будет другая метка, а эта исчезнет.`,
    into: 'С меткой',
    mergeSubmit: 'Объединить метки',
    merged: 'Объединено',
    removeHeading: (name) => `Удалить метку ${name}?`,
    removeText: (count) => `Её потеряют: ${links(count)}. Сами ссылки останутся.`,
    removeSubmit: 'Удалить метку',
    keep: 'Оставить метку',
  },
  folders: {
    heading: 'Папки',
    add: 'Добавить папку',
    none: 'Папок пока нет',
    noneText: 'Папка держит вместе ссылки с одной целью.',
    edit: (name) => `Изменить папку ${name}`,
    removeHeading: (name) => `Удалить папку ${name}?`,
    removeText: (count) => `Без папки останутся: ${links(count)}. Сами ссылки не удаляются.`,
    removeSubmit: 'Удалить папку',
    keep: 'Оставить папку',
  },
};
