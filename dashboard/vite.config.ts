import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { drawWorldMap } from './world-map.mjs';

// `npm start` serves the build of `build.mjs`. With a stack running, `npx vite dashboard` is the same with reloads.
const MANAGEMENT_URL = process.env.MANAGEMENT_URL ?? 'http://127.0.0.1:3000';

const WORLD_MAP = 'virtual:world-map';

const worldMap: Plugin = {
  name: 'world-map',
  resolveId: (id) => (id === WORLD_MAP ? `\0${WORLD_MAP}` : null),
  load: (id) => (id === `\0${WORLD_MAP}` ? `export default ${JSON.stringify(drawWorldMap())};` : null),
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  appType: 'spa',
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  plugins: [react(), worldMap],
  build: {
    // The policy of the page allows no `data:` scripts, and one request less is not worth a larger style sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // dist/.vite/license.md: the licences of the packages inside.
    license: true,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // One file for what every screen needs, so that the first one takes few requests. Dialogs, menus
            // and forms load with the screens that have them.
            {
              name: 'frame',
              test: (id) =>
                /[\\/]clients[\\/]typescript[\\/]src[\\/]/.test(id) ||
                /[\\/]dashboard[\\/]src[\\/](app|parts|words)[\\/](?!(words[\\/])?(en|az|ru|tr)[.]|(menu|form)[.]|dialogs[\\/]|.*dialog[.])/.test(
                  id,
                ) ||
                /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|react-query))[\\/]/.test(
                  id,
                ),
            },
          ],
        },
      },
    },
  },
  server: {
    // Origin is compared with Host.
    proxy: Object.fromEntries(
      ['/api', '/auth', '/dashboard/preview'].map((path) => [path, { target: MANAGEMENT_URL }]),
    ),
  },
});
