/** The message about a member of a definition, which begins with its path. */
export function operatorOnly(field: string, command: string): string {
  return `${field}: is only for the operator; leave it out, or have it applied on the server's command line with \`${command}\``;
}
