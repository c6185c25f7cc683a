/** The number of a field. A text that is not a number is sent as text: the server's message explains the error. */
export function numberOf(text: string): number {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : (text as unknown as number);
}
