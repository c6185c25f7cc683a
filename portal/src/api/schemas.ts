import type { components } from '../../../clients/typescript/api.d.ts';

/** The API's types by name. Apart from the client, so that pure state needs no browser. */
export type Schemas = components['schemas'];
