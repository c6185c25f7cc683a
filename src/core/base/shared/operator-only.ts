/** The message for a member of a definition that only the operator may set, beginning with its path. */
export function operatorOnly(field: string, command: string): string {
  return `${field}: is only for the operator; leave it out, or have it applied on the server's command line with \`${command}\``;
}
