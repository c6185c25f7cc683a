import { invalidate } from '../../../api/session.ts';
import { PROVIDERS } from './providers.ts';

/** The list is read anew. */
export const invalidateProviders = () => invalidate((path) => path === PROVIDERS);
