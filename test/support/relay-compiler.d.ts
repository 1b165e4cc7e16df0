/** The path of Relay's compiler on this machine. */
declare module 'relay-compiler' {
  const path: string;
  export default path;
}
