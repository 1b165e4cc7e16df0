// Files that the bundler puts into the pages' styles.
declare module '*.css';
