/** The folder of Swagger UI's files; a dependency of @nestjs/swagger without types. */
declare module 'swagger-ui-dist/absolute-path' {
  function getAbsoluteFSPath(): string;
  export = getAbsoluteFSPath;
}
