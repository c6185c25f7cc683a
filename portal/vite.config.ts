import { join } from 'node:path';
import { defineConfig } from 'vite';

/** The server that `npm run portal:dev` takes the API from. */
const SERVER = 'http://127.0.0.1:3000';

const CHARTS =
  /\/src\/charts\/|\/d3-|\/portal\/src\/(card\/|ui\/date-field\.|pages\/dashboards\/(card-content|changes|layout|state)\.)/;
/** The entry and pages share these. The language is among them, or modules of this file would be evaluated before it. */
const SHARED = new RegExp(
  [
    '/node_modules/(preact|use-sync-external-store|@tanstack|openapi-[\\w-]+)/',
    '/src/language/[\\w-]+\\.ts$',
    'vite/preload-helper',
    `/portal/src/(${[
      'api/(client|dashboards|errors|roles|session|step-up)',
      'ui/(button|download|field|icon|key-names|lazy-dialog|page-head|page-title|states|stored|tabs|toast)',
      'ui/use-(keys|media|set-search)',
      'shell/(alone|missing-chunk|pages|remembered|step-up|theme|use-logout)',
      'help/chapters',
      'question/state/(explain|range)',
      'feed/cases-link',
      'pages/(alerts/card|executions/list/state|first-hour/progress|settings/data/erased)',
    ].join('|')})\\.`,
  ].join('|'),
);

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the portal works below any path.
  base: './',
  // Preact in place of React: see docs/decisions/0057-portal-house.md. The types are those of React.
  resolve: {
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react\/(jsx-runtime|jsx-dev-runtime)$/, replacement: 'preact/$1' },
      { find: /^react$/, replacement: 'preact/compat' },
    ],
  },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    reportCompressedSize: false,
    cssCodeSplit: false,
    // For the test of the sizes.
    manifest: true,
    rolldownOptions: {
      // Pages of links to dashboards are documents of their own: other sites may frame them.
      input: ['index.html', 'shared.html'].map((page) => join(import.meta.dirname, page)),
      output: {
        codeSplitting: {
          groups: [
            // Charts are loaded by the pages that draw. Without what they share with the entry, which would load them, too.
            { name: 'charts', test: CHARTS, includeDependenciesRecursively: false },
            // What the entry and pages share, in one file: each response has headers.
            { name: 'shared', test: SHARED, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/api', '/openapi.json', '/docs'].map((path) => [path, SERVER])) },
});
