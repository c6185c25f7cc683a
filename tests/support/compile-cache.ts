import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Code is compiled once for a whole test run, and kept where the program itself keeps it. `npm run test:unit` loads this
 * before each test file.
 */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

/** For processes that are started with few variables; their threads have no other way to know of it. */
export const COMPILED = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
