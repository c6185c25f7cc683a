import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run portal:dev` takes the API from. */
const SERVER = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the portal works below any path.
  base: './',
  plugins: [react()],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Licences come from the packages in the bundle.
    license: true,
    target: 'es2022',
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(['/api', '/openapi.json', '/docs'].map((path) => [path, SERVER])) },
});
