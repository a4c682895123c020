/** What `blobcheck/inline` has inside. The build writes it in the place of this file, and bundles it (scripts/bundle-inline.mjs). */

/** The verifier's module, the variant `simd128`, in base64. */
export declare const verifierModule: string

/** The script of the verifier's worker, which runs as a module and as a classic script. */
export declare const workerScript: string
