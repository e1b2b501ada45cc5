import { type Language, LANGUAGES, type Words } from './words.js';

const en: Words = {
  language: 'en',
  skip: 'Skip to content',
  fallbackTitles: { landing: 'Links', tag: 'Links', card: 'Card', text: 'Text', menu: 'Menu' },
  empty: 'Nothing here yet',
  saveContact: 'Save contact',
  saveHelp: 'Not opening? Open this page in Safari or Chrome.',
  share: 'Share',
  categories: 'Categories',
  searchMenu: 'Search the menu',
  found: 'Found: {n}',
  nothingFound: 'Nothing found',
  clearSearch: 'Clear search',
  priceFrom: 'from {p}',
  priceFromManat: 'from {p}',
  close: 'Close',
  allergy: 'Tell the staff about any allergy.',
  copy: 'Copy',
  copied: 'Copied',
  plainText: 'Plain text',
  download: 'Download',
  lines: 'Lines: {n}',
  password: {
    title: 'Enter the password',
    text: 'This link is protected by a password.',
    label: 'Password',
    submit: 'Continue',
    show: 'Show password',
    hide: 'Hide password',
    error: 'Error:',
    wrong: 'Wrong password. Try again.',
    tooMany: 'Too many attempts. Try again in {n}\u00a0min.',
    busy: 'Many people are unlocking links right now. Try again in a moment.',
  },
  notFound: { title: 'Page not found', text: 'Check the address, or scan the code again.' },
  paused: { title: 'This link is paused', text: 'It is switched off for now. Try again later.' },
  gone: { title: 'This link was removed', text: 'It will not open again.' },
  tooManyRequests: {
    title: 'Please wait a moment',
    text: 'Too many requests came from your network. Try again in {n}\u00a0s.',
  },
  unavailable: {
    title: 'Sorry, something went wrong',
    text: 'Try again in a minute.',
    retry: 'Try again',
  },
  root: { title: 'Smartlink', text: 'Short addresses that lead to the right place.' },
  app: {
    title: 'Get the app',
    choose: 'Choose a store',
    chooseDevice: 'Choose your device',
    scan: 'Scan to open on your phone',
    forIpad: 'For iPad',
    forMac: 'For Mac',
  },
  preview: {
    title: 'Where this link leads',
    text: 'You have not left yet. Look at the address before you go on.',
    leadsTo: 'Address',
    hidden: 'A password hides where this link leads.',
    stores: 'It opens the store that fits your device.',
    otherDevices: 'Other devices',
    page: 'A page on this site.',
    lookAlike: 'Caution: the letters of this name only look like Latin ones. It may imitate another site.',
    open: 'Open the link',
  },
  report: 'Report this page',
};

const az: Words = {
  language: 'az',
  skip: 'Məzmuna keç',
  fallbackTitles: { landing: 'Keçidlər', tag: 'Keçidlər', card: 'Vizit kart', text: 'Mətn', menu: 'Menyu' },
  empty: 'Hələ heç nə yoxdur',
  saveContact: 'Kontaktı yadda saxla',
  saveHelp: 'Açılmır? Bu səhifəni Safari və ya Chrome brauzerində açın.',
  share: 'Paylaş',
  categories: 'Kateqoriyalar',
  searchMenu: 'Menyuda axtar',
  found: 'Tapıldı: {n}',
  nothingFound: 'Heç nə tapılmadı',
  clearSearch: 'Axtarışı təmizlə',
  priceFrom: '{p} və yuxarı',
  priceFromManat: '{p}-dan',
  close: 'Bağla',
  allergy: 'Allergiyanız varsa, personala bildirin.',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  plainText: 'Sadə mətn',
  download: 'Endir',
  lines: 'Sətirlər: {n}',
  password: {
    title: 'Parolu daxil edin',
    text: 'Bu keçid parolla qorunur.',
    label: 'Parol',
    submit: 'Davam et',
    show: 'Parolu göstər',
    hide: 'Parolu gizlət',
    error: 'Xəta:',
    wrong: 'Parol yanlışdır. Yenidən cəhd edin.',
    tooMany: 'Həddən artıq cəhd edildi. {n}\u00a0dəq. sonra yenidən cəhd edin.',
    busy: 'Hazırda çox sayda keçid açılır. Bir az sonra yenidən cəhd edin.',
  },
  notFound: { title: 'Səhifə tapılmadı', text: 'Ünvanı yoxlayın və ya QR kodu yenidən skan edin.' },
  paused: {
    title: 'Bu keçid müvəqqəti dayandırılıb',
    text: 'Hələlik bağlıdır. Sonra yenidən yoxlayın.',
  },
  gone: { title: 'Bu keçid silinib', text: 'O, bir daha açılmayacaq.' },
  tooManyRequests: {
    title: 'Bir az gözləyin',
    text: 'Şəbəkənizdən həddən artıq sorğu gəldi. {n}\u00a0san. sonra yenidən cəhd edin.',
  },
  unavailable: {
    title: 'Üzr istəyirik, xəta baş verdi',
    text: 'Bir dəqiqə sonra yenidən cəhd edin.',
    retry: 'Yenidən cəhd et',
  },
  root: { title: 'Smartlink', text: 'Doğru yerə aparan qısa ünvanlar.' },
  app: {
    title: 'Tətbiqi yükləyin',
    choose: 'Mağaza seçin',
    chooseDevice: 'Cihazınızı seçin',
    scan: 'Telefonda açmaq üçün skan edin',
    forIpad: 'iPad üçün',
    forMac: 'Mac üçün',
  },
  preview: {
    title: 'Bu keçid hara aparır',
    text: 'Siz hələ keçməmisiniz. Davam etməzdən əvvəl ünvana baxın.',
    leadsTo: 'Ünvan',
    hidden: 'Keçidin hara apardığı parolla gizlədilib.',
    stores: 'Cihazınıza uyğun mağazanı açır.',
    otherDevices: 'Digər cihazlar',
    page: 'Bu saytda bir səhifə.',
    lookAlike: 'Diqqət: bu addakı hərflər latın hərflərinə yalnız bənzəyir. Başqa saytı təqlid edə bilər.',
    open: 'Keçidi aç',
  },
  report: 'Bu səhifədən şikayət et',
};

const ru: Words = {
  language: 'ru',
  skip: 'Перейти к содержимому',
  fallbackTitles: { landing: 'Ссылки', tag: 'Ссылки', card: 'Визитка', text: 'Текст', menu: 'Меню' },
  empty: 'Пока здесь пусто',
  saveContact: 'Сохранить контакт',
  saveHelp: 'Не открывается? Откройте эту страницу в Safari или Chrome.',
  share: 'Поделиться',
  categories: 'Категории',
  searchMenu: 'Поиск по меню',
  found: 'Найдено: {n}',
  nothingFound: 'Ничего не найдено',
  clearSearch: 'Очистить поиск',
  priceFrom: 'от {p}',
  priceFromManat: 'от {p}',
  close: 'Закрыть',
  allergy: 'Если у вас аллергия, сообщите персоналу.',
  copy: 'Копировать',
  copied: 'Скопировано',
  plainText: 'Простой текст',
  download: 'Скачать',
  lines: 'Строк: {n}',
  password: {
    title: 'Введите пароль',
    text: 'Эта ссылка защищена паролем.',
    label: 'Пароль',
    submit: 'Продолжить',
    show: 'Показать пароль',
    hide: 'Скрыть пароль',
    error: 'Ошибка:',
    wrong: 'Неверный пароль. Попробуйте ещё раз.',
    tooMany: 'Слишком много попыток. Повторите через {n}\u00a0мин.',
    busy: 'Сейчас открывают много ссылок. Попробуйте чуть позже.',
  },
  notFound: { title: 'Страница не найдена', text: 'Проверьте адрес или отсканируйте QR-код ещё раз.' },
  paused: { title: 'Ссылка временно отключена', text: 'Сейчас она отключена. Зайдите позже.' },
  gone: { title: 'Ссылка удалена', text: 'Она больше не откроется.' },
  tooManyRequests: {
    title: 'Подождите немного',
    text: 'Из вашей сети пришло слишком много запросов. Повторите через {n}\u00a0с.',
  },
  unavailable: {
    title: 'Извините, произошла ошибка',
    text: 'Попробуйте ещё раз через минуту.',
    retry: 'Повторить',
  },
  root: { title: 'Smartlink', text: 'Короткие адреса, которые ведут куда нужно.' },
  app: {
    title: 'Скачайте приложение',
    choose: 'Выберите магазин',
    chooseDevice: 'Выберите устройство',
    scan: 'Отсканируйте, чтобы открыть на телефоне',
    forIpad: 'Для iPad',
    forMac: 'Для Mac',
  },
  preview: {
    title: 'Куда ведёт эта ссылка',
    text: 'Вы ещё не перешли. Посмотрите на адрес, прежде чем продолжить.',
    leadsTo: 'Адрес',
    hidden: 'Адрес скрыт паролем.',
    stores: 'Она открывает магазин для вашего устройства.',
    otherDevices: 'Другие устройства',
    page: 'Страница на этом сайте.',
    lookAlike: 'Осторожно: буквы этого имени лишь похожи на латинские. Адрес может подражать другому сайту.',
    open: 'Открыть ссылку',
  },
  report: 'Пожаловаться на страницу',
};

const tr: Words = {
  language: 'tr',
  skip: 'İçeriğe geç',
  fallbackTitles: {
    landing: 'Bağlantılar',
    tag: 'Bağlantılar',
    card: 'Kartvizit',
    text: 'Metin',
    menu: 'Menü',
  },
  empty: 'Henüz bir şey yok',
  saveContact: 'Rehbere kaydet',
  saveHelp: "Açılmıyor mu? Bu sayfayı Safari veya Chrome'da açın.",
  share: 'Paylaş',
  categories: 'Kategoriler',
  searchMenu: 'Menüde ara',
  found: 'Bulunan: {n}',
  nothingFound: 'Sonuç bulunamadı',
  clearSearch: 'Aramayı temizle',
  priceFrom: '{p} ve üzeri',
  priceFromManat: '{p} ve üzeri',
  close: 'Kapat',
  allergy: 'Alerjiniz varsa personele bildirin.',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  plainText: 'Düz metin',
  download: 'İndir',
  lines: 'Satır: {n}',
  password: {
    title: 'Şifreyi girin',
    text: 'Bu bağlantı şifreyle korunuyor.',
    label: 'Şifre',
    submit: 'Devam et',
    show: 'Şifreyi göster',
    hide: 'Şifreyi gizle',
    error: 'Hata:',
    wrong: 'Şifre yanlış. Tekrar deneyin.',
    tooMany: 'Çok fazla deneme yapıldı. {n}\u00a0dk. sonra tekrar deneyin.',
    busy: 'Şu anda çok sayıda bağlantı açılıyor. Biraz sonra tekrar deneyin.',
  },
  notFound: { title: 'Sayfa bulunamadı', text: 'Adresi kontrol edin veya QR kodu yeniden okutun.' },
  paused: {
    title: 'Bu bağlantı geçici olarak durduruldu',
    text: 'Şimdilik kapalı. Daha sonra tekrar deneyin.',
  },
  gone: { title: 'Bu bağlantı kaldırıldı', text: 'Bir daha açılmayacak.' },
  tooManyRequests: {
    title: 'Lütfen biraz bekleyin',
    text: 'Ağınızdan çok fazla istek geldi. {n}\u00a0sn. sonra tekrar deneyin.',
  },
  unavailable: {
    title: 'Üzgünüz, bir sorun oluştu',
    text: 'Bir dakika sonra tekrar deneyin.',
    retry: 'Tekrar dene',
  },
  root: { title: 'Smartlink', text: 'Doğru yere götüren kısa adresler.' },
  app: {
    title: 'Uygulamayı indirin',
    choose: 'Mağaza seçin',
    chooseDevice: 'Cihazınızı seçin',
    scan: 'Telefonunuzda açmak için kodu okutun',
    forIpad: 'iPad için',
    forMac: 'Mac için',
  },
  preview: {
    title: 'Bu bağlantı nereye gidiyor',
    text: 'Henüz gitmediniz. Devam etmeden önce adrese bakın.',
    leadsTo: 'Adres',
    hidden: 'Bağlantının nereye gittiği şifreyle gizlenmiş.',
    stores: 'Cihazınıza uygun mağazayı açar.',
    otherDevices: 'Diğer cihazlar',
    page: 'Bu sitede bir sayfa.',
    lookAlike:
      'Dikkat: bu addaki harfler yalnızca Latin harflerine benziyor. Başka bir siteyi taklit edebilir.',
    open: 'Bağlantıyı aç',
  },
  report: 'Bu sayfayı bildir',
};

/** The words by language. */
export const WORDS: Readonly<Record<Language, Words>> = { en, az, ru, tr };

// Real headers have fewer than 100 characters; the rest is not read.
const HEADER_LENGTH_MAX = 256;

/**
 * The supported language that Accept-Language prefers (RFC 9110, 12.5.4), or `fallback`. Regions and scripts are
 * ignored: `az-Cyrl-AZ` is Azerbaijani.
 */
export function chooseLanguage(acceptLanguage: string, fallback: Language): Language {
  let best: Language | null = null;
  let bestWeight = 0;
  for (const range of acceptLanguage.slice(0, HEADER_LENGTH_MAX).split(',')) {
    const [, tag = '', weight = '1'] = RANGE.exec(range) ?? [];
    const language = tag === '*' ? fallback : LANGUAGES.find((name) => name === tag.toLowerCase());
    // Of two liked alike the first one named is meant.
    if (language === undefined || Number(weight) <= bestWeight) continue;
    best = language;
    bestWeight = Number(weight);
  }
  return best ?? fallback;
}

const RANGE = /^\s*(\*|[a-z]{2,3})(?:-[a-z\d-]{0,40})?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;
