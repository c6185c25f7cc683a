/**
 * How a value becomes text, in OpenAPI's words: `comma` is its form without explode, `spread` its
 * form with objects as parameters of their own, `brackets` is `tags[]=a&tags[]=b`.
 */
export const QUERY_STYLES = [
  ...(['form', 'spread', 'comma', 'spaceDelimited', 'pipeDelimited'] as const),
  ...(['deepObject', 'brackets', 'json'] as const),
] as const;
export type QueryStyle = (typeof QUERY_STYLES)[number];

export const HEADER_STYLES = ['simple', 'simpleExploded', 'json'] as const;
export type HeaderStyle = (typeof HEADER_STYLES)[number];

export const PATH_STYLES = [...HEADER_STYLES, 'label', 'labelExploded', 'matrix', 'matrixExploded'] as const;
export type PathStyle = (typeof PATH_STYLES)[number];
