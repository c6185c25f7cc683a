import { useEffect, useRef, useState } from 'react';

/** A form that starts with the question in the address, and follows the address when it changes other than by `ask`. */
export function useForm<Form>(
  text: string | undefined,
  formOf: (text: string | undefined) => Form,
  navigate: (text: string) => void,
): [form: Form, setForm: (form: Form) => void, ask: (text: string) => void] {
  const [form, setForm] = useState(() => formOf(text));
  const known = useRef(text);
  useEffect(() => {
    if (text !== known.current) setForm(formOf(text));
    known.current = text;
  }, [text, formOf]);
  const ask = (next: string) => {
    known.current = next;
    navigate(next);
  };
  return [form, setForm, ask];
}
