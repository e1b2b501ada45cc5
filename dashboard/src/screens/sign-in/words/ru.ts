import { pluralRu } from '../../../words/plural.js';
import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Вход',
  email: 'Эл. почта',
  password: 'Пароль',
  submit: 'Войти',
  wrong: 'Неверная почта или пароль.',
  tooMany: (seconds) =>
    `Слишком много попыток. Подождите ${seconds} ${pluralRu(seconds, 'секунду', 'секунды', 'секунд')} и попробуйте снова.`,
  forgotten: 'Забыли пароль? Попросите ссылку для сброса у того, кто управляет этим сервисом.',
  setup: {
    heading: 'Завершите настройку',
    text: 'Пока никто не может войти. На машине, где работает Smartlink, создайте ссылку для первого человека:',
    then: 'Откройте адрес, который выведет команда, и задайте пароль.',
    again: 'Проверить снова',
  },
};
