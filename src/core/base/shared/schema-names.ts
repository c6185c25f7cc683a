import { z } from 'zod';

/* Names for OpenAPI. A default is optional in a request, but always present in a response. */

export const requestSchemas = z.registry<{ id: string }>();
export const responseSchemas = z.registry<{ id: string }>();
