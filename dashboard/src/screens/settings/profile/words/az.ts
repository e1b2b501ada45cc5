import type { words as english } from './en.js';

export const words: typeof english = {
  heading: 'Profil',
  email: 'E-poçt',
  saved: 'Saxlanıldı',
  look: 'Dil və görünüş',
  theme: 'Tema',
  themes: { system: 'Sistemdəki kimi', light: 'Açıq', dark: 'Tünd' },
  times: 'Tarix və saat',
  timeZone: 'Saat qurşağı',
  ownTimeZone: (name) => `Bu brauzerinki (${name})`,
  weekStart: 'Həftənin ilk günü',
  days: ['Bazar', 'Bazar ertəsi', 'Çərşənbə axşamı', 'Çərşənbə', 'Cümə axşamı', 'Cümə', 'Şənbə'],
  keyboard: 'Klaviatura',
  hasShortcuts: 'Tək düymələr əmrdir',
  shortcutsHint: 'Düymələri görmək üçün istənilən ekranda ? basın.',
  here: 'Bu seçimlər bu brauzerdə, dil isə həm də sizin adınıza saxlanılır.',
};
