import type { FieldMessages } from '../api/field-messages.ts';

interface Bound<Form> {
  form: Form;
  messages: FieldMessages;
  onChange(members: Partial<Form>): void;
}

/** The names of the members that are texts. */
type TextsOf<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form] & string;

/**
 * Binds fields to the members of a form: the value, the server's message, and what a change does. `path` precedes a
 * member in the path of a message: "config." in a card.
 */
export function bind<Form extends object>({ form, messages, onChange }: Bound<Form>, path = '') {
  const held = <Name extends keyof Form & string>(name: Name) => ({
    value: form[name],
    error: messages.at(path + name),
  });
  const set = (name: string, value: unknown) => onChange({ [name]: value } as Partial<Form>);
  return {
    /** The props of a field whose text the user types. */
    text: <Name extends TextsOf<Form>>(name: Name) => ({
      ...held(name),
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
    }),
    /** The props of a field that hands over its value. */
    value: <Name extends keyof Form & string>(name: Name) => ({
      ...held(name),
      onChange: (value: Form[Name]) => set(name, value),
    }),
    /** The props of a list of choices. */
    choice: <Name extends keyof Form & string>(name: Name) => ({
      ...held(name),
      onChoose: (value: Form[Name]) => set(name, value),
    }),
  };
}
