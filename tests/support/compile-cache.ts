import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * Code is compiled once for a whole test run, and kept in the checkout, where no other user can write. `npm run test:unit`
 * loads this before each test file.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);

/** For processes that are started with few variables; their threads have no other way to know of it. */
export const COMPILED = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
