import type { components } from '../../../clients/typescript/api.d.ts';

/** The API's types by name. Separate from client.ts, which needs a browser. */
export type Schemas = components['schemas'];
