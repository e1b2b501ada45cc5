import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readChoice } from './options.js';
import type { Terminal } from './terminal.js';
import { examples } from './text.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that defines the command smartlink in a shell, with completion')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      `
The command smartlink is short for npm run --silent admin --. Load the script in the startup file of the shell:

  ~/.bashrc                   source <(npm run --silent --prefix FOLDER admin -- completion bash)
  ~/.zshrc, after compinit    source <(npm run --silent --prefix FOLDER admin -- completion zsh)
  ~/.config/fish/config.fish  npm run --silent --prefix FOLDER admin -- completion fish | source

FOLDER is the folder of the checkout.
${examples('completion bash')}`,
    )
    .action((shell: string) => {
      const write = { bash: toBash, zsh: toZsh, fish: toFish }[readChoice('shell', shell, SHELLS)];
      terminal.stdout(write(listPlaces(program), findProgram(terminal)));
    });
}

/** A command line's words so far without options, and what may follow. */
type Place = { readonly path: string; readonly words: readonly Word[] };
type Word = {
  readonly name: string;
  readonly short?: string | undefined;
  readonly takesValue: boolean;
  readonly description: string;
};

function listPlaces(command: Command, path = ''): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const words = [
    ...commands.map((one) => ({ name: one.name(), takesValue: false, description: one.description() })),
    ...help.visibleOptions(command).map(({ long, short, description, required, optional }) => ({
      name: long ?? '',
      short,
      takesValue: required || optional,
      description,
    })),
  ];
  return [{ path, words }, ...commands.flatMap((one) => listPlaces(one, `${path} ${one.name()}`.trim()))];
}

/** The words that run this program, quoted. In a checkout the launcher, which also changes to its folder. */
function findProgram({ argv: [, script = ''] }: Terminal): string {
  const launcher = resolve(script, '../../../../bootstrap.mjs');
  return existsSync(launcher) ? `node ${quote(launcher)} admin` : `node ${quote(script)}`;
}

/** For all three shells: none of the texts ends with a backslash. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const toCases = (places: readonly Place[], toCase: (place: Place) => string): string =>
  places.map((place) => `    ${quote(place.path)}) ${toCase(place)} ;;`).join('\n');

/** Shell code that sets `at` to the path of the words before the present one. */
const findPlace = (places: readonly Place[], words: string): string => `  local at='' word
  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${places.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done`;

const toBash = (places: readonly Place[], program: string): string => `smartlink() { ${program} "$@"; }
_smartlink() {
${findPlace(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  local words=''
  case "$at" in
${toCases(places, ({ words }) => `words=${quote(words.map(({ name }) => name).join(' '))}`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _smartlink smartlink
`;

const toZsh = (places: readonly Place[], program: string): string => `smartlink() { ${program} "$@"; }
_smartlink() {
${findPlace(places, '"${(@)words[2,CURRENT-1]}"')}
  local -a found
  case "$at" in
${toCases(places, ({ words }) => `found=(${words.map(toZshWord).join(' ')})`)}
  esac
  _describe smartlink found || _files
}
compdef _smartlink smartlink
`;

const toZshWord = ({ name, description }: Word): string =>
  quote(`${name}:${description.replaceAll(':', '\\:')}`);

function toFish(places: readonly Place[], program: string): string {
  const lines = places.flatMap(({ path, words }) => {
    const parents = path === '' ? [] : path.split(' ');
    const children = words.filter(({ name }) => !name.startsWith('-')).map(({ name }) => name);
    const conditions = [
      ...parents.map((name) => `__fish_seen_subcommand_from ${name}`),
      ...(children.length === 0 ? [] : [`not __fish_seen_subcommand_from ${children.join(' ')}`]),
    ];
    return words.map(({ name, short, takesValue, description }) => {
      const flags = name.startsWith('--')
        ? `-l ${name.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}${takesValue ? ' -r' : ''}`
        : `-f -a ${name}`;
      return `complete -c smartlink -n ${quote(conditions.join('; and '))} ${flags} -d ${quote(description)}`;
    });
  });
  return `function smartlink; ${program} $argv; end\n${lines.join('\n')}\n`;
}
