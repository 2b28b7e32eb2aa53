/*
 * Lets a user-mode-linux kernel run on processors whose register state is larger than it knows.
 *
 * The kernel of the simulated GPIO chip saves and restores a guest's floating point registers through
 * ptrace with a buffer of fixed size. Where the processor has more state (AMX tiles), the host refuses the
 * short restore with EFAULT and the guest kernel panics at boot. This shim, preloaded, widens a short
 * restore: it fetches the whole state, lays the guest's part over it and restores that.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

#define NT_X86_XSTATE 0x202
#define WHOLE_STATE (64 * 1024)

long ptrace(enum __ptrace_request request, ...)
{
	static long (*real)(int, pid_t, void *, void *);
	static char whole[WHOLE_STATE];
	va_list args;

	if (!real)
		real = (long (*)(int, pid_t, void *, void *))dlsym(RTLD_NEXT, "ptrace");
	va_start(args, request);
	pid_t pid = va_arg(args, pid_t);
	void *address = va_arg(args, void *);
	void *data = va_arg(args, void *);
	va_end(args);

	if ((int)request == PTRACE_SETREGSET && (long)address == NT_X86_XSTATE) {
		struct iovec *part = data;
		struct iovec full = { whole, sizeof(whole) };

		if (real(PTRACE_GETREGSET, pid, address, &full) == 0 && full.iov_len > part->iov_len) {
			memcpy(whole, part->iov_base, part->iov_len);
			return real(request, pid, address, &full);
		}
	}
	return real(request, pid, address, data);
}
