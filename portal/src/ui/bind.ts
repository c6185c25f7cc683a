import type { FieldMessages } from '../api/field-messages.ts';

/** A form that something holds, and the server's messages at its fields. */
export interface Bound<Form> {
  form: Form;
  messages: FieldMessages;
  onChange(members: Partial<Form>): void;
}

export type Fields<Form extends object> = ReturnType<typeof bind<Form>>;

/** The names of the members with such values. */
type NamesOf<Form, Value> = { [Name in keyof Form]: Form[Name] extends Value ? Name : never }[keyof Form] & string;

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
    text: <Name extends NamesOf<Form, string>>(name: Name) => ({
      ...held(name),
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
    }),
    /** The props of a field that hands over its value. */
    value: <Name extends keyof Form & string>(name: Name) => ({
      ...held(name),
      onChange: (value: Form[Name]) => set(name, value),
    }),
    /** The props of several fields, which have their messages at paths of their own. */
    part: <Name extends keyof Form & string>(name: Name) => ({
      value: form[name],
      messages,
      path,
      onChange: (value: Form[Name]) => set(name, value),
    }),
    /** The props of a check box. */
    check: (name: NamesOf<Form, boolean>) => ({
      checked: form[name] as boolean,
      onChange: (isChecked: boolean) => set(name, isChecked),
    }),
    /** The props of a list of choices. */
    choice: <Name extends keyof Form & string>(name: Name) => ({
      ...held(name),
      onChoose: (value: Form[Name]) => set(name, value),
    }),
  };
}

/** The form that a member holds, with fields of its own. */
export function within<Form, Name extends keyof Form & string>(
  { form, messages, onChange }: Bound<Form>,
  name: Name,
): Bound<Form[Name]> {
  const change = (members: Partial<Form[Name]>) =>
    onChange({ [name]: { ...form[name], ...members } } as unknown as Partial<Form>);
  return { form: form[name], messages, onChange: change };
}
