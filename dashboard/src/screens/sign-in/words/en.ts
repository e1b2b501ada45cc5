export const words = {
  heading: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Wrong e-mail or password.',
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds === 1 ? '1 second' : `${seconds} seconds`}, then try again.`,
  forgotten: 'Forgotten the password? Ask whoever runs this service for a reset link.',
  setup: {
    heading: 'Finish setting up',
    text: 'Nobody can sign in yet. On the machine that runs Smartlink, make a link for the first person:',
    then: 'Open the address that it prints, and choose a password there.',
    again: 'Check again',
  },
};
