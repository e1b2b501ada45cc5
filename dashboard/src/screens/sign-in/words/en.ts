export const words = {
  heading: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Wrong e-mail or password.',
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds === 1 ? '1 second' : `${seconds} seconds`}, then try again.`,
  forgotten: 'Forgot your password? The person who runs this service can give you a reset link.',
  setup: {
    heading: 'Finish setting up',
    text: 'This installation has no users yet. On the machine that runs Smartlink, create a link for the first one:',
    then: 'Open the address it prints and choose a password.',
    again: 'Check again',
  },
};
