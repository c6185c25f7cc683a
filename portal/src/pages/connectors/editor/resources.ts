import type { Resource } from '../types.ts';
import type { Draft } from './definition.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

export function resourcesOf({ resources = {} }: Draft): [slug: string, resource: Partial<Resource>][] {
  return Object.entries(resources);
}

/** An empty description is left out. */
export function withResource(draft: Draft, slug: string, changed: Partial<Resource>): Draft {
  const resource = { ...draft.resources?.[slug], ...changed };
  if (resource.description === '') delete resource.description;
  return { ...draft, resources: { ...draft.resources, [slug]: resource } };
}

/** At its place. A name that another resource has is not taken. */
export function renamedResource(draft: Draft, slug: string, name: string): Draft {
  if (name === slug || Object.hasOwn(draft.resources ?? {}, name)) return draft;
  const entries = resourcesOf(draft).map(([one, resource]) => [one === slug ? name : one, resource] as const);
  return { ...draft, resources: Object.fromEntries(entries) };
}

export function withoutResource(draft: Draft, slug: string): Draft {
  return { ...draft, resources: Object.fromEntries(resourcesOf(draft).filter(([one]) => one !== slug)) };
}

/** Its name is the first free one: `resource`, `resource-2`. */
export function withNewResource(draft: Draft): { draft: Draft; slug: string } {
  const taken = new Set(resourcesOf(draft).map(([slug]) => slug));
  let slug = 'resource';
  for (let number = 2; taken.has(slug); number += 1) slug = `resource-${number}`;
  return { draft: withResource(draft, slug, { method: 'GET', path: '/' }), slug };
}
