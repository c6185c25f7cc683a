/** A text in another language; one for each plural form where it depends on a count. */
export type Translation = string | Readonly<{ one: string; other: string }>;

/**
 * The texts of one language, by their English. Where one English text needs two translations, a
 * context follows it: `Open|a review`. The context is never shown.
 */
export type Translations = Readonly<Record<string, Translation>>;

/** The names in braces: `page` and `total` in `Page {page} of {total}`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The values that a text needs: no argument, if it needs none. */
export type ValuesOf<Text extends string, Value, Known extends string = never> = [
  Exclude<NamesIn<Text>, Known>,
] extends [never]
  ? []
  : [values: Readonly<Record<Exclude<NamesIn<Text>, Known>, Value>>];

/** Texts without plural forms. */
export type PlainText<Texts> = {
  [Text in keyof Texts & string]: Texts[Text] extends string ? Text : never;
}[keyof Texts & string];
type PluralText<Texts> = Exclude<keyof Texts & string, PlainText<Texts>>;

/** With it, an error names the text that is missing. */
export type Known<Text, All> = Text extends All ? unknown : { readonly 'translations lack this text': Text };

type Written = string | number;

/**
 * Says English texts in the language of a page, mail or picture. The types refuse a text that
 * `Texts` lacks.
 */
export interface Translator<Texts extends Translations> {
  /** The text with its values; numbers are written as the language writes them. */
  <Text extends string>(text: Text & Known<Text, PlainText<Texts>>, ...values: ValuesOf<Text, Written>): string;
  /**
   * The form for the count, which is the value `count`: `count(2, '{count} row', '{count} rows')`.
   */
  count<Text extends string>(
    count: number,
    one: string,
    other: Text & Known<Text, PluralText<Texts>>,
    ...values: ValuesOf<Text, Written, 'count'>
  ): string;
  /** The text in parts, for values that are no text: elements of a page. */
  parts<Text extends string, Value>(
    text: Text & Known<Text, PlainText<Texts>>,
    ...values: ValuesOf<Text, Value>
  ): (string | Value)[];
}

const NAMED = /\{(\w+)\}/;
const CONTEXT = /\|[^|]*$/;

/** `locale`: a BCP 47 tag. Without a catalogue the texts stay English. */
export function translator<Texts extends Translations>(
  locale: string,
  catalogue: Translations | null,
): Translator<Texts> {
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const formOf = (count: number) => (plurals.select(count) === 'one' ? 'one' : 'other');
  const translationOf = (text: string) =>
    catalogue && Object.hasOwn(catalogue, text) ? catalogue[text] : text.replace(CONTEXT, '');
  const written = (value: unknown) => (typeof value === 'number' ? numbers.format(value) : value);
  const parts = (text: string, values: Readonly<Record<string, unknown>> = {}) =>
    text.split(NAMED).map((part, index) => (index % 2 === 0 ? part : written(values[part])));
  const plain = (text: string) => {
    const found = translationOf(text);
    return typeof found === 'string' ? found : text;
  };
  const translate = (text: string, values?: Readonly<Record<string, unknown>>) => parts(plain(text), values).join('');
  const count = (count: number, one: string, other: string, values?: Readonly<Record<string, unknown>>) => {
    const found = translationOf(other);
    const forms = typeof found === 'object' ? found : { one, other };
    return parts(forms[formOf(count)], { ...values, count }).join('');
  };
  const inParts = (text: string, values?: Readonly<Record<string, unknown>>) => parts(plain(text), values);
  return Object.assign(translate, { count, parts: inParts }) as unknown as Translator<Texts>;
}
