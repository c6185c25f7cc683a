import { z } from 'zod';

/*
 * The names that the OpenAPI document and its clients have for schemas. Requests and responses have a registry each, since a
 * default is optional in a request and always present in a response. A name in both registries means the same in both.
 */

export const requestSchemas = z.registry<{ id: string }>();
export const responseSchemas = z.registry<{ id: string }>();
