import { scryptHashing } from '../../src/core/access/auth/password-hash.ts';

/** Hashes passwords in well under a millisecond: most tests only need that the right password matches. */
export const CHEAP_HASHING = scryptHashing({ ln: 4, r: 8, p: 1 });
