import type { Schemas } from '../../../api/schemas.ts';

export type Key = Schemas['ApiKey'];
export type KeyScope = Key['scopes'][number];
export type NewKey = Schemas['IssuedKey'] & Partial<Pick<Schemas['RotatedKey'], 'formerSecretUntil'>>;
