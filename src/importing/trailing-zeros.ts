import type { Written } from './numbers.ts';

/** A column so named may hold versions, whose last zeros matter. */
const VERSION_NAME = /(?:^|[^a-z])(?:ver(?:s|$|[^a-z])|release|build(?!ing)|firmware)/;
/** More different whole parts are amounts and not versions. */
const MOST_WHOLES = 1_000;
/** The last zeros of decimals, which tell amounts (49.90) from versions (1.10). */
export class TrailingZeros {
  #places = { least: Number.POSITIVE_INFINITY, most: 0 };
  /** Places of fractions that end with a zero, and one of these. */
  #zeroPlaces = new Set<number>();
  #example = '';
  #first: number | undefined;
  #differ = false;
  #wholes = new Map<string, { places: number; differ: boolean; zero: boolean }>();
  /** Such as 1.9 and 1.10. */
  #sharedWhole = false;

  see({ value, whole, fraction }: Written): void {
    const places = fraction.length;
    this.#first ??= value;
    this.#differ ||= value !== this.#first;
    this.#places.least = Math.min(this.#places.least, places);
    this.#places.most = Math.max(this.#places.most, places);
    if (fraction.endsWith('0')) {
      this.#zeroPlaces.add(fraction === '0' ? 0 : places);
      this.#example ||= `${whole}.${fraction}`;
    }
    if (places === 0 || this.#sharedWhole || this.#wholes.size > MOST_WHOLES) return;
    const known = this.#wholes.get(whole) ?? { places, differ: false, zero: false };
    this.#wholes.set(whole, known);
    known.differ ||= known.places !== places;
    known.zero ||= fraction.endsWith('0');
    this.#sharedWhole = known.differ && known.zero;
  }

  /** Null: they are numbers. */
  doubt(column: string, hasWholes: boolean): string | null {
    const { least, most } = this.#places;
    if (this.#zeroPlaces.size === 0) return null;
    const doubt = `${this.#example} may be a version or an identifier`;
    const isOne = !this.#differ && !hasWholes && this.#first !== 0;
    if (isOne || VERSION_NAME.test(inWords(column))) return doubt;
    const isConstant = least === most && !hasWholes;
    const isOfFloats = [...this.#zeroPlaces].every((places) => places === 0);
    if (isConstant || isOfFloats) return null;
    return this.#sharedWhole || [...this.#zeroPlaces].some((places) => places !== most) ? doubt : null;
  }
}

function inWords(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
}
