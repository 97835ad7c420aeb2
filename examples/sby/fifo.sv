// A FIFO of four words. With BROKEN defined a write into the full FIFO is not refused.
module fifo (
	input  wire       clk,
	input  wire       rst,
	input  wire       push,
	input  wire       pop,
	input  wire [3:0] in,
	output wire [3:0] out,
	output wire       full,
	output wire       empty
);
	reg [3:0] memory [0:3];
	reg [1:0] head = 0;
	reg [1:0] tail = 0;
	reg [2:0] count = 0;

	assign full = count == 4;
	assign empty = count == 0;
	assign out = memory[head];

`ifdef BROKEN
	wire writes = push;
`else
	wire writes = push && !full;
`endif
	wire reads = pop && !empty;

	always @(posedge clk) begin
		if (rst) begin
			head <= 0;
			tail <= 0;
			count <= 0;
		end else begin
			if (writes) begin
				memory[tail] <= in;
				tail <= tail + 1;
			end
			if (reads)
				head <= head + 1;
			count <= count + {2'b0, writes} - {2'b0, reads};
		end
	end

`ifdef FORMAL
	always @(*) begin
		never_too_full: assert (count <= 4);
		places_agree: assert (count[1:0] == tail - head);
	end
`endif
endmodule
