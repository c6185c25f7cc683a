import { nearestNames } from './names.ts';

/** Comparing names takes time, and both sides may come from people who mean harm: a comparison takes 5 microseconds at most. */
export const MAX_COMPARED = 500;
const MAX_NAME = 100;

/** The known name that is most like one that is not known, where there are few enough to compare. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME || known.length > MAX_COMPARED) return undefined;
  return nearestNames(
    name,
    known.filter((one) => one.length <= MAX_NAME),
  )[0];
}

/** `; did you mean petId?`, or what to say where no name is near. */
export function suggestion(name: string, known: readonly string[], otherwise = ''): string {
  const alike = nearestName(name, known);
  return alike === undefined ? otherwise : `; did you mean ${alike}?`;
}
