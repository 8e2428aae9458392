/** Made by the build: see electron.vite.config.ts. */
declare module "virtual:licences" {
  const text: string;
  export default text;
}
