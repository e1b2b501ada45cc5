export const words = {
  heading: 'Profile',
  email: 'E-mail',
  saved: 'Saved',
  look: 'Language and look',
  theme: 'Theme',
  themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
  times: 'Dates and times',
  timeZone: 'Time zone',
  ownTimeZone: (name: string) => `Of this browser (${name})`,
  weekStart: 'First day of the week',
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as readonly string[],
  here: 'These choices are kept in this browser; the language also with your person.',
};
