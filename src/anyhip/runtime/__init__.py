"""What HIP means, whatever kind of device runs it: one noun a module, over :mod:`anyhip.backends.backend`.

The C ABI (:mod:`anyhip.sdk`) and the Python face (names exported by :mod:`anyhip`) are two skins over this
package.
"""
